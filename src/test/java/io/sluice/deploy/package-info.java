/**
 * The files in {@code conf/} from which others start the service, compared with the service: the
 * trial on one machine, Kubernetes, the first database.
 */
package io.sluice.deploy;
