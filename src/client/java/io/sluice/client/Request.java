package io.sluice.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is sent, the same at each try.
 *
 * @param changes whether it changes something, so that a try without an answer leaves it open
 * @param key the request key, of an order only
 * @param patience how long the service may wait before it answers
 */
record Request(
    String method,
    URI uri,
    Map<String, String> headers,
    @Nullable String body,
    boolean changes,
    @Nullable String key,
    Duration patience) {

  static Request get(URI uri, Caller caller, Duration patience) {
    return new Request("GET", uri, headers(caller), null, false, null, patience);
  }

  /** Without a body if there are no fields. */
  static Request post(URI uri, Caller caller, Map<String, ?> fields) {
    Map<String, String> headers = headers(caller);
    if (fields.isEmpty()) {
      return new Request("POST", uri, headers, null, true, null, Duration.ZERO);
    }
    headers.put("Content-Type", "application/json");
    String body = JsonWriter.write(fields);
    return new Request("POST", uri, headers, body, true, null, Duration.ZERO);
  }

  Request withKey(String itsKey) {
    return with("Idempotency-Key", itsKey, itsKey);
  }

  Request withTicket(String ticket) {
    return with("Sluice-Ticket", ticket, key);
  }

  private Request with(String name, String value, @Nullable String itsKey) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return new Request(method, uri, all, body, changes, itsKey, patience);
  }

  /** Always HTTP/1.1: an offer to go on with HTTP/2 is refused by the service. */
  HttpRequest within(Duration time) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(time)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    headers.forEach(request::setHeader);
    return request.build();
  }

  private static Map<String, String> headers(Caller caller) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Accept", "application/json, application/problem+json");
    if (!caller.header().isEmpty()) {
      headers.put(caller.header(), caller.value());
    }
    return headers;
  }
}
