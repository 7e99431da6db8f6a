/** Kills instances at every step of their work and checks the promises afterwards. */
package io.sluice.crash;
