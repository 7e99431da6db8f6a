/**
 * What every integration test, the demo and the benchmarks stand on: real Redis, Kafka and MySQL or
 * MariaDB servers, a proxy that breaks connections on purpose, and a clock that only moves when
 * told to.
 *
 * <pre>
 *   Backends ── RedisBackend ──┐
 *            ── KafkaBackend ──┼── Server: ServerProcess (ours) | ServerContainer (Docker) | NamedServer (not ours)
 *            ── MysqlBackend ──┘
 * </pre>
 *
 * <p>A {@code ServerFactory} per server knows how to come by one: named in the environment, in a
 * container, installed on the system, or unpacked from a jar. Every server listens on the loopback
 * address only, on a free port, keeps its data below the testkit's folder, and dies with the JVM
 * that started it, however that JVM ends.
 */
package io.sluice.testkit;
