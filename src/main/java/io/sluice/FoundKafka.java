package io.sluice;

import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaAdmin;
import java.util.List;

/**
 * The facts about Kafka before it is used.
 *
 * @param weaknesses of the order log for a sale
 */
record FoundKafka(KafkaAdmin admin, TopicInfo topics, List<String> weaknesses) {}
