/**
 * Whole sales on real servers, through the HTTP API only: instances of the service run in JVMs of
 * their own, and the promises are checked on the state that each test leaves behind.
 */
package io.sluice.sale;
