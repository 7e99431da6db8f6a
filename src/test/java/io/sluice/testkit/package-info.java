/**
 * The basis of all integration tests, the demo and the benchmarks: real Redis, Kafka and MySQL or
 * MariaDB servers, a proxy that injects network faults, and a clock that a test advances.
 *
 * <pre>
 *   Backends ── RedisBackend ──┐
 *            ── KafkaBackend ──┼── Server: ServerProcess | ServerContainer | NamedServer
 *            ── MysqlBackend ──┘
 * </pre>
 *
 * <p>A {@code ServerFactory} per server knows each way to get one: named in the environment, in a
 * container, installed on the system, or unpacked from a jar. Every server listens on the loopback
 * address only, on a free port, keeps its data below the testkit's folder, and ends with the JVM
 * that started it, however that JVM ends.
 */
package io.sluice.testkit;
