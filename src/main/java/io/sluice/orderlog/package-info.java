/**
 * The order log and the event stream: the only place that knows Kafka.
 *
 * <pre>
 * OrderLog        -- append --> BoundedProducer --> Kafka
 * EventPublisher  -- publish --^
 * OrderLogConsumer --> GroupMember (decides, on the starting context) --> PollLoop
 *                        ^ RebalanceRelay              plan, poll, records  |
 *                        +--------------- PlannedConsumer (poll thread) <---+
 * EventFeed --------------------------------------------------> PollLoop
 * KafkaAdmin, KafkaTopics, BrokerWatch: topics, offsets, the group, is it up
 * </pre>
 *
 * <p>Producers and consumers run on their own threads; every Future completes on the caller's
 * context. Invariants: a record is appended to the partition that its bucket hashes to, set
 * explicitly; no offset is ever reset silently; whatever a record holds, reading it throws nothing.
 * Imports {@code model}, {@code config}, {@code metrics}.
 */
@NullMarked
package io.sluice.orderlog;

import org.jspecify.annotations.NullMarked;
