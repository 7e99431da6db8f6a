package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.model.Limits;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The header of a record that names the instance that appended it. Nothing is decided by it, and
 * releases that do not know it ignore it.
 */
final class InstanceHeader {
  static final String NAME = "instance";

  private final byte[] id;

  InstanceHeader(String instanceId) {
    this.id = instanceId.getBytes(UTF_8);
  }

  String id() {
    return new String(id, UTF_8);
  }

  void addTo(Headers headers) {
    headers.add(NAME, id);
  }

  /** The instance that these headers name; null if they name none, or no valid id. */
  static @Nullable String in(Headers headers) {
    Header header = headers.lastHeader(NAME);
    byte[] value = header == null ? null : header.value();
    if (value == null || value.length > Limits.INSTANCE_ID_MAX) {
      return null;
    }
    String id = new String(value, UTF_8);
    return Limits.isInstanceId(id) ? id : null;
  }
}
