/** The contracts of both ports in OpenAPI, as tests read them. */
package io.sluice.openapi;
