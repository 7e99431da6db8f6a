/**
 * From a report to its charts: one small chart a finding, with the finding and its figures in its
 * title. They are drawn from the report's text alone, so that a kept report can be drawn again.
 *
 * <pre>
 *   ReportCharts ── KeptReport:  what the text of a report says
 *                ── ...Findings: which charts these figures make, and what each says
 *                ── Chart, Bar:  what a chart shows; checked when it is made
 *                ── ChartSvg:    how it looks, in light and dark
 * </pre>
 */
package io.sluice.bench.chart;
