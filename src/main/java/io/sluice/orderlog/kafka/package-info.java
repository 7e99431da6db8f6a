/**
 * The only package that knows Kafka.
 *
 * <pre>
 * OrderLog        -- append --> BoundedProducer (RecordGathering) --> Kafka
 * EventPublisher  -- publish --^
 * OrderLogConsumer --> GroupMember (decides, on the starting context) --> PollLoop
 *                        ^                                plan, poll, records |
 *                        +------------- rebalances (poll thread) <------------+
 * KafkaEventFeed ----------------------------------------------------> PollLoop
 * KafkaAdmin, KafkaTopics, BrokerHealth: topics, offsets, the group, health
 * </pre>
 *
 * <p>Producers and consumers run on their own threads; every Future completes on the caller's
 * context.
 */
@NullMarked
package io.sluice.orderlog.kafka;

import org.jspecify.annotations.NullMarked;
