//! The meters of nodes that have a device.

use netjoule_energy::platform::PlatformMeter;
use netjoule_energy::processor::ProcessorMeter;
use netjoule_energy::radio::RadioMeter;
use netjoule_energy::supply::{Supply, greatest_power};
use netjoule_link::dot11::phy::Phy;
use netjoule_scenario::Medium;
use netjoule_units::BitRate;

use super::Builder;
use crate::energy::{LinkRadio, Metered, Processor};
use crate::island::Part;

impl Builder<'_> {
    /// The processor of each node whose device has one.
    pub(super) fn processors(&mut self) -> Vec<Option<Processor>> {
        let scenario = self.scenario;
        let nodes = scenario.nodes.iter().enumerate();
        let processors = nodes.map(|(node, settings)| {
            let processor = settings.device.as_ref()?.processor.as_ref()?;
            let id = self.add_part(node, Part::Processor(node));
            let interrupts = &settings.interrupts;
            let meter = ProcessorMeter::new(processor);
            Some(Processor::new(id, meter, interrupts.frames, interrupts.delay))
        });
        processors.collect()
    }

    /// Everything else that is metered. Radios on airs go there.
    pub(super) fn metered(
        &mut self,
        processors: Vec<Option<Processor>>,
    ) -> Vec<Option<Box<Metered>>> {
        let nodes = processors.into_iter().enumerate();
        nodes.map(|(node, processor)| self.metered_node(node, processor).map(Box::new)).collect()
    }

    fn metered_node(&mut self, node: usize, processor: Option<Processor>) -> Option<Metered> {
        let scenario = self.scenario;
        let settings = &scenario.nodes[node];
        let device = settings.device.as_deref()?;
        let mut rates: Vec<BitRate> = Vec::new();
        let links = scenario.links.iter().filter(|link| link.between.contains(&node));
        let on_air = links.filter(|link| matches!(link.medium, Medium::Wireless { .. }));
        rates.extend(on_air.map(|link| link.rate));
        let link_radio =
            (!rates.is_empty()).then(|| LinkRadio::new(RadioMeter::new(&device.radio)));
        let mut stations = Vec::new();
        for (index, air) in scenario.airs.iter().enumerate() {
            if let Some(station) = air.stations.iter().position(|it| *it == node) {
                self.airs[index].air.set_radio(station, RadioMeter::new(&device.radio));
                stations.push((index, station));
                let Phy { modes, .. } = air.dot11.phy.phy();
                rates.extend(modes.iter().map(|mode| mode.rate));
            }
        }
        for transmitter in &mut self.transmitters {
            if transmitter.from == node || transmitter.to.contains(&node) {
                transmitter.transmitter.keep_begun();
            }
        }
        let config = settings.battery.as_ref();
        let config = config.or_else(|| device.battery.as_ref().map(|battery| &battery.value));
        let supply = config.map(|config| {
            let fastest = rates.iter().max().copied().unwrap_or(BitRate::from_mbit_per_s(1));
            let radios = u64::from(link_radio.is_some()) + stations.len() as u64;
            let supply = Supply::new(config, greatest_power(device, radios, fastest));
            (self.add_part(node, Part::Supply(node)), supply)
        });
        let platform = PlatformMeter::new(&device.platform);
        Some(Metered { stations, link_radio, processor, platform, supply, died: None })
    }
}
