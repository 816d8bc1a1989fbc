//! Products of dense matrices on flat row-major slices.
//!
//! Small matrices go through tiles kept in registers, without any allocation; large ones through the general product of `nalgebra`.
#![expect(
    clippy::inline_always,
    reason = "sizes that the compiler knows are worth a factor of three for small matrices"
)]

use nalgebra::{DMatrix, DMatrixView, DMatrixViewMut};

/// From this inner and outer size on, the packed product of `nalgebra` is faster than the tiles.
const PACKED: usize = 20;

/// A rectangle inside a flat slice: rows lie `stride` apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Distance between the starts of two rows.
    pub stride: usize,
}

impl Shape {
    /// A rectangle whose rows lie next to each other.
    pub(crate) const fn packed(rows: usize, columns: usize) -> Self {
        Self { rows, columns, stride: columns }
    }

    /// A rectangle whose rows are `stride` apart.
    pub(crate) const fn strided(rows: usize, columns: usize, stride: usize) -> Self {
        Self { rows, columns, stride }
    }
}

/// C = AB.
#[inline(always)]
pub(crate) fn multiply(c: &mut [f64], of_c: Shape, a: &[f64], of_a: Shape, b: &[f64], of_b: Shape) {
    product(c, of_c, a, of_a, b, of_b, false);
}

/// C += AB.
#[inline(always)]
pub(crate) fn multiply_add(c: &mut [f64], of_c: Shape, a: &[f64], of_a: Shape, b: &[f64], of_b: Shape) {
    product(c, of_c, a, of_a, b, of_b, true);
}

/// C = AB, or C += AB.
#[inline(always)]
fn product(c: &mut [f64], of_c: Shape, a: &[f64], of_a: Shape, b: &[f64], of_b: Shape, add: bool) {
    if of_c.columns >= PACKED && of_a.columns >= PACKED / 2 && of_c.rows >= PACKED / 2 {
        packed(c, of_c, a, of_a, b, of_b, add);
    } else {
        tiled(c, of_c, a, of_a, b, of_b, add);
    }
}

#[inline(never)]
fn packed(c: &mut [f64], of_c: Shape, a: &[f64], of_a: Shape, b: &[f64], of_b: Shape, add: bool) {
    let view =
        |data, shape: Shape| DMatrixView::from_slice_with_strides(data, shape.rows, shape.columns, shape.stride, 1);
    let mut target = DMatrixViewMut::from_slice_with_strides_mut(c, of_c.rows, of_c.columns, of_c.stride, 1);
    target.gemm(1.0, &view(a, of_a), &view(b, of_b), if add { 1.0 } else { 0.0 });
}

#[inline(always)]
fn tiled(c: &mut [f64], of_c: Shape, a: &[f64], of_a: Shape, b: &[f64], of_b: Shape, add: bool) {
    let mut i = 0;
    while i + 4 <= of_c.rows {
        band::<4>(&mut c[i * of_c.stride..], of_c, &a[i * of_a.stride..], of_a, b, of_b, add);
        i += 4;
    }
    while i < of_c.rows {
        band::<1>(&mut c[i * of_c.stride..], of_c, &a[i * of_a.stride..], of_a, b, of_b, add);
        i += 1;
    }
}

/// `R` rows of the product.
#[inline(always)]
fn band<const R: usize>(c: &mut [f64], of_c: Shape, a: &[f64], of_a: Shape, b: &[f64], of_b: Shape, add: bool) {
    let mut j = 0;
    while j + 4 <= of_c.columns {
        tile::<R, 4>(&mut c[j..], of_c.stride, a, of_a, &b[j..], of_b.stride, add);
        j += 4;
    }
    while j < of_c.columns {
        tile::<R, 1>(&mut c[j..], of_c.stride, a, of_a, &b[j..], of_b.stride, add);
        j += 1;
    }
}

/// A tile of `R` by `W` entries of the product, accumulated in registers.
#[inline(always)]
fn tile<const R: usize, const W: usize>(
    c: &mut [f64],
    c_stride: usize,
    a: &[f64],
    of_a: Shape,
    b: &[f64],
    b_stride: usize,
    add: bool,
) {
    let inner = of_a.columns;
    let mut sums = [[0.0; W]; R];
    let rows: [&[f64]; R] = std::array::from_fn(|r| &a[r * of_a.stride..r * of_a.stride + inner]);
    for k in 0..inner {
        let line: &[f64; W] = b[k * b_stride..k * b_stride + W].try_into().unwrap_or(&[0.0; W]);
        for r in 0..R {
            let factor = rows[r][k];
            for w in 0..W {
                sums[r][w] += factor * line[w];
            }
        }
    }
    for (r, sum) in sums.iter().enumerate() {
        let target = &mut c[r * c_stride..r * c_stride + W];
        for w in 0..W {
            target[w] = if add { target[w] + sum[w] } else { sum[w] };
        }
    }
}

/// y = xA for a row vector x.
pub(crate) fn row_times(x: &[f64], a: &[f64], columns: usize, y: &mut [f64]) {
    y.fill(0.0);
    for (&factor, row) in x.iter().zip(a.chunks_exact(columns.max(1))) {
        if factor != 0.0 {
            y.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
        }
    }
}

/// y = Ax for a column vector x.
pub(crate) fn times_column(a: &[f64], x: &[f64], y: &mut [f64]) {
    for (sum, row) in y.iter_mut().zip(a.chunks_exact(x.len().max(1))) {
        *sum = dot(row, x);
    }
}

/// The inner product.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

/// The entries of a matrix by rows.
pub(crate) fn by_rows(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

/// The matrix with these entries by rows.
pub(crate) fn matrix(rows: usize, columns: usize, entries: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(rows, columns, entries)
}
