/**
 * Whole sales on real servers, told through the HTTP API alone: instances of the service run as
 * JVMs of their own, and the promises are checked on what each test leaves behind.
 */
package io.sluice.sale;
