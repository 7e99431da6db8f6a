package io.sluice.testkit.server;

import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import java.time.Duration;
import java.util.List;
import org.testcontainers.containers.GenericContainer;

/**
 * A server in a container. Testcontainers creates and removes it; all other commands go to the
 * engine.
 */
public final class ServerContainer implements Server {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final int LOG_TAIL_LINES = 40;

  private final String name;
  private final GenericContainer<?> container;
  private final Probe probe;
  private String version = "";

  ServerContainer(String name, GenericContainer<?> container, Probe probe) {
    this.name = name;
    this.container = container;
    this.probe = probe;
  }

  @Override
  public synchronized void start() {
    if (container.getContainerId() == null) {
      container.start();
    } else {
      engine().startContainerCmd(id()).exec();
    }
    version = probe.await(name, START_LIMIT, this::running, this::logTail);
  }

  @Override
  public String describe() {
    return version + " (Docker, " + container.getDockerImageName() + ")";
  }

  @Override
  public boolean killable() {
    return true;
  }

  @Override
  public boolean running() {
    return Boolean.TRUE.equals(state().getRunning());
  }

  @Override
  public synchronized void stop() {
    if (running()) {
      resume();
      engine().stopContainerCmd(id()).withTimeout((int) STOP_LIMIT.toSeconds()).exec();
      awaitEnd();
    }
  }

  @Override
  public synchronized void kill() {
    if (running()) {
      // The engine refuses to kill a paused container.
      resume();
      engine().killContainerCmd(id()).exec();
      awaitEnd();
    }
  }

  @Override
  public void pause() {
    engine().pauseContainerCmd(id()).exec();
  }

  @Override
  public void resume() {
    if (Boolean.TRUE.equals(state().getPaused())) {
      engine().unpauseContainerCmd(id()).exec();
    }
  }

  @Override
  public long pid() {
    Long pid = state().getPidLong();
    if (pid == null || pid == 0) {
      throw new IllegalStateException(name + " is not running");
    }
    return pid;
  }

  @Override
  public void close() {
    container.stop();
  }

  public DockerClient engine() {
    return container.getDockerClient();
  }

  public String id() {
    return container.getContainerId();
  }

  private void awaitEnd() {
    await(name + " to end").atMost(STOP_LIMIT).pollInSameThread().until(() -> !running());
  }

  private ContainerState state() {
    return engine().inspectContainerCmd(id()).exec().getState();
  }

  private String logTail() {
    List<String> lines = container.getLogs().lines().toList();
    int from = Math.max(0, lines.size() - LOG_TAIL_LINES);
    return " The end of its log:\n" + String.join("\n", lines.subList(from, lines.size()));
  }
}
