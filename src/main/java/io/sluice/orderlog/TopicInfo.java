package io.sluice.orderlog;

import java.util.List;

/**
 * The topics as the broker has them.
 *
 * @param topicId of the orders topic; it changes when the topic is deleted and made anew
 * @param partitions of the orders topic
 * @param mismatches "Expected ..., but ..." for each topic whose partition count is not the
 *     configured one; the process cannot run on these
 */
public record TopicInfo(String topicId, int partitions, List<String> mismatches) {}
