//! What the figures share.

use crate::Result;
use kuva::TickFormat;
use kuva::backend::svg::SvgBackend;
use kuva::plot::LinePlot;
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use std::path::PathBuf;
use std::sync::Arc;

/// Colours that the colour-blind tell apart (Okabe and Ito).
const COLOURS: [&str; 4] = ["#000000", "#d55e00", "#0072b2", "#009e73"];

/// The curve of this index among those of a panel, with a name in the legend. The last is dashed: it may lie on another.
pub(crate) fn curve(points: &[(f64, f64)], index: usize, name: &str) -> Plot {
    let line = LinePlot::new().with_data(points.iter().copied()).with_color(COLOURS[index]).with_stroke_width(2.0);
    let line = if index + 1 == COLOURS.len() { line.with_dashed() } else { line };
    line.with_legend(name).into()
}

/// A panel of curves.
pub(crate) struct Panel {
    pub title: String,
    pub x: &'static str,
    pub y: &'static str,
    pub log_x: bool,
    pub log_y: bool,
    /// Of the vertical axis, where the data should not choose it.
    pub y_range: Option<(f64, f64)>,
    pub curves: Vec<Plot>,
}

impl Panel {
    fn layout(&self) -> Layout {
        let layout = Layout::auto_from_plots(&self.curves)
            .with_title(self.title.as_str())
            .with_x_label(self.x)
            .with_y_label(self.y)
            .with_title_size(16);
        let layout = layout.with_tick_format(TickFormat::Custom(Arc::new(label)));
        let layout = if self.log_x { layout.with_log_x() } else { layout };
        let layout = if self.log_y { layout.with_log_y() } else { layout };
        match self.y_range {
            Some((least, most)) => layout.with_y_axis_min(least).with_y_axis_max(most),
            None => layout,
        }
    }
}

/// Panels in rows, with one legend below, as `docs/figures/{name}.svg`.
pub(crate) fn save(name: &str, rows: usize, columns: usize, panels: Vec<Panel>) -> Result<()> {
    let layouts = panels.iter().map(Panel::layout).collect();
    let plots = panels.into_iter().map(|panel| panel.curves).collect();
    let figure = Figure::new(rows, columns)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_cell_size(380.0, 300.0)
        .with_shared_legend_bottom();
    write(&format!("figures/{name}.svg"), &SvgBackend::new().render_scene(&figure.render()))
}

/// A file of `docs/`.
pub(crate) fn write(name: &str, text: &str) -> Result<()> {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs");
    std::fs::write(docs.join(name), text)?;
    println!("docs/{name}: {} kB", text.len().div_ceil(1000));
    Ok(())
}

/// A number at a tick.
fn label(tick: f64) -> String {
    if tick >= 1e4 { format!("{tick:e}") } else { ((tick * 1e6).round() / 1e6).to_string() }
}
