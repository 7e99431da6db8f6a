/** What runs during a measurement, what it costs, and the audit of what buyers were told. */
package io.sluice.bench.site;
