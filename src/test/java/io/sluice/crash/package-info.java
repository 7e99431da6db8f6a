/** Kills instances at every step of everything they do, and holds what is left to the promises. */
package io.sluice.crash;
