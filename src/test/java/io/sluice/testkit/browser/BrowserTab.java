package io.sluice.testkit.browser;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A tab of {@link Chromium}. Each call returns once the browser has answered. */
public final class BrowserTab implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Map<Integer, CompletableFuture<JsonObject>> open = new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final AtomicInteger next = new AtomicInteger();
  private final WebSocket socket;

  /**
   * @param target as DevTools describe the tab
   */
  BrowserTab(HttpClient http, String target, int width, int height) {
    URI address = URI.create(new JsonObject(target).getString("webSocketDebuggerUrl"));
    this.socket = await(http.newWebSocketBuilder().buildAsync(address, new Ears()));
    tell("Page.enable", new JsonObject());
    tell("Runtime.enable", new JsonObject());
    tell("Log.enable", new JsonObject());
    tell("Emulation.setFocusEmulationEnabled", new JsonObject().put("enabled", true));
    resize(width, height);
  }

  /** Reassembles messages, which may come in parts. */
  private final class Ears implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        heard(new JsonObject(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void heard(JsonObject message) {
    Integer id = message.getInteger("id");
    if (id != null) {
      CompletableFuture<JsonObject> asked = open.remove(id);
      if (asked != null) {
        asked.complete(message);
      }
      return;
    }
    JsonObject what = message.getJsonObject("params");
    switch (message.getString("method")) {
      case "Runtime.exceptionThrown" -> complaints.add(what.encode());
      case "Log.entryAdded" -> noteEntry(what.getJsonObject("entry"));
      default -> {
        // Of no use here.
      }
    }
  }

  /** A request that the network or the service refused is no fault of the page. */
  private void noteEntry(JsonObject entry) {
    if (entry.getString("level").equals("error") && !entry.getString("source").equals("network")) {
      complaints.add(entry.encode());
    }
  }

  /** Exceptions that nobody caught, and what the browser forbade, such as by the page's policy. */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** A call of the DevTools protocol, and its result. */
  private JsonObject tell(String method, JsonObject parameters) {
    int id = next.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    open.put(id, answer);
    JsonObject message =
        new JsonObject().put("id", id).put("method", method).put("params", parameters);
    await(socket.sendText(message.encode(), true));
    JsonObject heard = await(answer);
    if (heard.containsKey("error")) {
      throw new AssertionError(method + ": " + heard.getJsonObject("error").encode());
    }
    return heard.getJsonObject("result");
  }

  /** Sets the size of what is shown, in CSS pixels. */
  public void resize(int width, int height) {
    tell(
        "Emulation.setDeviceMetricsOverride",
        new JsonObject()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 600));
  }

  /**
   * Shows the page as for a reader who prefers this theme, or as it is printed.
   *
   * @param media screen or print
   * @param theme light or dark
   */
  public void media(String media, String theme) {
    JsonObject feature = new JsonObject().put("name", "prefers-color-scheme").put("value", theme);
    tell(
        "Emulation.setEmulatedMedia",
        new JsonObject().put("media", media).put("features", new JsonArray().add(feature)));
  }

  public void show(String url) {
    tell("Page.navigate", new JsonObject().put("url", url));
  }

  /** The value of an expression, which may be a promise: what JSON can hold. */
  public Object value(String script) {
    JsonObject result =
        tell(
            "Runtime.evaluate",
            new JsonObject()
                .put("expression", script)
                .put("awaitPromise", true)
                .put("returnByValue", true));
    if (result.containsKey("exceptionDetails")) {
      throw new AssertionError(result.getJsonObject("exceptionDetails").encodePrettily());
    }
    return result.getJsonObject("result").getValue("value");
  }

  public String text(String script) {
    return String.valueOf(value(script));
  }

  /** The text of the element with this selector; empty where none is shown. */
  public String textOf(String selector) {
    return text(
        "(() => { const e = document.querySelector(%s); return e && e.getClientRects().length > 0 ? e.innerText : ''; })()"
            .formatted(quoted(selector)));
  }

  public void click(String selector) {
    value("document.querySelector(" + quoted(selector) + ").click()");
  }

  /** Presses a key on whatever has the focus. */
  public void press(String key, int code) {
    for (String type : List.of("keyDown", "keyUp")) {
      tell(
          "Input.dispatchKeyEvent",
          new JsonObject()
              .put("type", type)
              .put("key", key)
              .put("code", key)
              .put("windowsVirtualKeyCode", code)
              .put("text", key.equals("Enter") && type.equals("keyDown") ? "\r" : ""));
    }
  }

  /** A text as JavaScript has it. */
  public static String quoted(String text) {
    return new JsonArray().add(text).encode().replaceAll("^\\[|]$", "");
  }

  /** Writes what is shown into a PNG. */
  public void picture(Path file) {
    String data =
        tell("Page.captureScreenshot", new JsonObject().put("format", "png")).getString("data");
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, Base64.getDecoder().decode(data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    tell("Page.close", new JsonObject());
    socket.abort();
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("The browser does not answer", e);
    }
  }
}
