/**
 * What every store must do, once: each suite runs on the fake and on the real one, so that tests
 * which use the fake say something about the service.
 */
package io.sluice.contract;
