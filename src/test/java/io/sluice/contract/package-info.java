/** The contracts of the ports, tested on the in-memory implementation and on the real one. */
package io.sluice.contract;
