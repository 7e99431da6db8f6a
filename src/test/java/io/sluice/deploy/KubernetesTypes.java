package io.sluice.deploy;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The types of Kubernetes' API, as Fabric8 makes them from its OpenAPI schemas: compares an object
 * with them, strictly. An API server drops a field that it does not know, so that a misspelt probe
 * is no probe.
 */
final class KubernetesTypes {
  private static final String MODEL = "io.fabric8.kubernetes.api.model.";

  private static final Map<String, String> CLASSES =
      Map.of(
          "v1 Namespace", MODEL + "Namespace",
          "v1 Service", MODEL + "Service",
          "apps/v1 Deployment", MODEL + "apps.Deployment",
          "policy/v1 PodDisruptionBudget", MODEL + "policy.v1.PodDisruptionBudget",
          "networking.k8s.io/v1 NetworkPolicy", MODEL + "networking.v1.NetworkPolicy",
          "monitoring.coreos.com/v1 ServiceMonitor",
              "io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor");

  /** Texts or numbers. */
  private static final List<String> EITHER = List.of(MODEL + "IntOrString", MODEL + "Quantity");

  private KubernetesTypes() {}

  /** What is wrong with an object, each with its path; empty for nothing. */
  static List<String> faults(Map<String, Object> object) {
    String kind = object.get("apiVersion") + " " + object.get("kind");
    String name = CLASSES.get(kind);
    if (name == null) {
      return List.of("there is no " + kind);
    }
    try {
      return faults(kind, Class.forName(name), object).toList();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<String> faults(String path, Type type, Object value) {
    if (type instanceof ParameterizedType generic) {
      return ofMany(path, generic, value);
    }
    Class<?> wanted = (Class<?>) type;
    if (wanted == Object.class) {
      return Stream.of();
    }
    if (wanted == Long.class) {
      return unless(value instanceof Integer || value instanceof Long, path, "a number", value);
    }
    if (EITHER.contains(wanted.getName())) {
      return unless(value instanceof Integer || value instanceof String, path, "a text", value);
    }
    if (wanted.getName().startsWith("java.lang.")) {
      return unless(wanted.isInstance(value), path, wanted.getSimpleName(), value);
    }
    if (!(value instanceof Map<?, ?> fields)) {
      return unless(false, path, wanted.getSimpleName(), value);
    }
    return fields.entrySet().stream()
        .flatMap(
            field -> {
              String inner = path + "." + field.getKey();
              return typeOf(wanted, String.valueOf(field.getKey()))
                  .map(known -> faults(inner, known, field.getValue()))
                  .orElseGet(() -> Stream.of(inner + " does not exist"));
            });
  }

  private static Stream<String> ofMany(String path, ParameterizedType type, Object value) {
    Type[] of = type.getActualTypeArguments();
    if (type.getRawType() == List.class) {
      return value instanceof List<?> items
          ? items.stream().flatMap(item -> faults(path + "[]", of[0], item))
          : unless(false, path, "a list", value);
    }
    return value instanceof Map<?, ?> map
        ? map.entrySet().stream()
            .flatMap(entry -> faults(path + "." + entry.getKey(), of[1], entry.getValue()))
        : unless(false, path, "a map", value);
  }

  private static Optional<Type> typeOf(Class<?> owner, String name) {
    return Stream.of(owner.getDeclaredFields())
        .filter(field -> field.isAnnotationPresent(JsonProperty.class))
        .filter(field -> field.getAnnotation(JsonProperty.class).value().equals(name))
        .findFirst()
        .map(Field::getGenericType);
  }

  private static Stream<String> unless(boolean fits, String path, String wanted, Object value) {
    return fits ? Stream.of() : Stream.of(path + " must be " + wanted + ", but is " + value);
  }
}
