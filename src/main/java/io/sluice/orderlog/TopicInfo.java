package io.sluice.orderlog;

import java.util.List;

/**
 * The topics as they exist on the broker.
 *
 * @param topicId of the orders topic; changes when the topic is deleted and created again
 * @param partitions of the orders topic that are used: the configured ones, or all if it has fewer
 * @param more partitions that it has beyond these; Kafka cannot take them back
 * @param mismatches "Expected ..., but ..." for each topic that has fewer partitions than are
 *     configured; the process cannot run with these
 */
public record TopicInfo(String topicId, int partitions, int more, List<String> mismatches) {}
