package io.sluice.config;

/**
 * Kafka.
 *
 * @param replicationFactor of topics that Sluice creates; 0 = the broker's default
 * @param requestTimeoutMs the producer's request.timeout.ms; milliseconds
 * @param deliveryTimeoutMs the producer's delivery.timeout.ms; milliseconds
 * @param maxBlockMs the producer's max.block.ms; milliseconds
 * @param lagLimit orders in the log that are not booked
 * @param lagAction busy or direct
 */
public record KafkaConfig(
    String bootstrapServers,
    String ordersTopic,
    String eventsTopic,
    int partitions,
    int replicationFactor,
    String group,
    int requestTimeoutMs,
    int deliveryTimeoutMs,
    int maxBlockMs,
    int lagLimit,
    String lagAction) {}
