package io.sluice;

import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaAdmin;
import java.util.List;

/**
 * The facts about Kafka before it is used.
 *
 * @param weaknesses what is less safe about the order log than a sale needs
 */
record FoundKafka(KafkaAdmin admin, TopicInfo topics, List<String> weaknesses) {}
