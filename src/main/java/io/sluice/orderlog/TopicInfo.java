package io.sluice.orderlog;

import java.util.List;

/**
 * The topics as they exist on the broker.
 *
 * @param topicId of the orders topic; changes when the topic is deleted and created again
 * @param partitions of the orders topic
 * @param mismatches "Expected ..., but ..." for each topic whose partition count is not the
 *     configured one; the process cannot run with these
 */
public record TopicInfo(String topicId, int partitions, List<String> mismatches) {}
