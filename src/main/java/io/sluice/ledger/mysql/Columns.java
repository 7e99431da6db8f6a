package io.sluice.ledger.mysql;

import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Maps columns to the components of records, and back, in order. A record within a record has the
 * columns that follow; an order token has three, of its SKU, bucket and id, and settings have one,
 * in JSON.
 */
final class Columns {
  private static final ClassValue<Mapping> MAPPINGS =
      new ClassValue<>() {
        @Override
        protected Mapping computeValue(Class<?> type) {
          return Mapping.of(type);
        }
      };

  private Columns() {}

  /** Reads rows that have the columns of this record, and perhaps more behind them. */
  static <R extends Record> Function<Row, R> to(Class<R> type) {
    Mapping mapping = MAPPINGS.get(type);
    return row -> type.cast(mapping.read(row, new int[1]));
  }

  /** The values as parameters: of a record its components, of a flag 0 or 1, of a name its text. */
  static Tuple of(@Nullable Object... values) {
    List<@Nullable Object> all = new ArrayList<>();
    for (Object value : values) {
      add(value, all);
    }
    return Tuple.wrap(all);
  }

  private static void add(@Nullable Object value, List<@Nullable Object> all) {
    if (value instanceof SkuSettings settings) {
      all.add(text(settings));
    } else if (value instanceof Record values) {
      MAPPINGS.get(values.getClass()).addTo(all, values);
    } else if (value instanceof Boolean flag) {
      all.add(flag ? 1 : 0);
    } else {
      all.add(value instanceof Enum<?> name ? name.name() : value);
    }
  }

  /** The settings as they are stored, in JSON. */
  private static String text(SkuSettings settings) {
    return new JsonObject()
        .put("payment_window_s", settings.paymentWindowS())
        .put("limit_per_user", settings.limitPerUser())
        .put("opens_at", settings.opensAtMs())
        .put("closes_at", settings.closesAtMs())
        .put("ticket", settings.ticket())
        .put("low_percent", settings.marks().lowPercent())
        .put("last_percent", settings.marks().lastPercent())
        .encode();
  }

  static SkuSettings settings(String json) {
    JsonObject settings = new JsonObject(json);
    return new SkuSettings(
        settings.getLong("payment_window_s"),
        settings.getInteger("limit_per_user"),
        settings.getLong("opens_at"),
        settings.getLong("closes_at"),
        settings.getBoolean("ticket"),
        new Watermarks(settings.getInteger("low_percent"), settings.getInteger("last_percent")));
  }

  /** The partition of each bucket, by its number. */
  private static Placement placement(JsonObject partitions) {
    return new Placement(
        IntStream.range(0, partitions.size())
            .mapToObj(bucket -> partitions.getInteger(Integer.toString(bucket)))
            .toList());
  }

  /** Reads a value from the next column, or columns, and counts them. */
  private interface Reader {
    @Nullable Object read(Row row, int[] next);

    static Reader of(Class<?> type) {
      if (type == OrderToken.class) {
        return (row, next) ->
            OrderRows.token(
                row.getLong(next[0]++), row.getInteger(next[0]++), row.getBuffer(next[0]++));
      }
      if (type == SkuSettings.class) {
        return (row, next) -> settings(row.getString(next[0]++));
      }
      if (type == Placement.class) {
        return (row, next) -> placement(new JsonObject(row.getString(next[0]++)));
      }
      if (type == OptionalLong.class) {
        return (row, next) -> {
          Long found = row.getLong(next[0]++);
          return found == null ? OptionalLong.empty() : OptionalLong.of(found);
        };
      }
      if (type == boolean.class) {
        // Of a whole number the driver looks at its last byte alone.
        return (row, next) -> row.getLong(next[0]++) != 0;
      }
      Class<?> boxed = MethodType.methodType(type).wrap().returnType();
      return type.isRecord() ? MAPPINGS.get(type)::read : (row, next) -> row.get(boxed, next[0]++);
    }
  }

  /** How one record is made, and the values of its components are read. */
  private record Mapping(Constructor<?> maker, List<Reader> readers, List<Method> accessors) {
    static Mapping of(Class<?> type) {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class[]::new);
      List<Method> accessors = Stream.of(components).map(RecordComponent::getAccessor).toList();
      accessors.forEach(accessor -> accessor.setAccessible(true));
      try {
        Constructor<?> maker = type.getDeclaredConstructor(types);
        maker.setAccessible(true);
        return new Mapping(maker, Stream.of(types).map(Reader::of).toList(), accessors);
      } catch (NoSuchMethodException none) {
        throw new LinkageError("Expected a record, but " + type, none);
      }
    }

    Object read(Row row, int[] next) {
      try {
        @Nullable Object[] values = new Object[readers.size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = readers.get(i).read(row, next);
        }
        return maker.newInstance(values);
      } catch (ReflectiveOperationException refused) {
        throw new IllegalStateException("Expected a row of " + maker, refused);
      }
    }

    void addTo(List<@Nullable Object> all, Record values) {
      try {
        for (Method accessor : accessors) {
          add(accessor.invoke(values), all);
        }
      } catch (ReflectiveOperationException unreadable) {
        throw new LinkageError("Expected a record that can be read, but " + values, unreadable);
      }
    }
  }
}
