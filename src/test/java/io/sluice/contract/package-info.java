/** What every implementation of a port must do, run on the one in memory and on the real one. */
package io.sluice.contract;
