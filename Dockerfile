# The image of the service; target/sluice.jar comes from `mvn package`.
FROM eclipse-temurin:17-jre

RUN useradd --system --no-create-home --uid 10001 sluice
COPY target/sluice.jar /opt/sluice/sluice.jar
# The defaults; mount your own file over it, or set SLUICE_... variables.
COPY conf/sluice.yaml /etc/sluice/sluice.yaml

USER 10001
# 8080 is for buyers. 8081 is the management port: it listens on the loopback address unless admin.host says otherwise.
EXPOSE 8080 8081

# The base image has neither curl nor wget in every release; bash speaks enough HTTP for this.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${SLUICE_ADMIN_PORT:-8081} && printf 'GET /livez HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]

ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "-jar", "/opt/sluice/sluice.jar", "--config", "/etc/sluice/sluice.yaml"]
