package io.sluice.cli;

import java.io.InputStream;
import java.io.PrintStream;

/** What the program reads, and what it writes to. */
public record Streams(InputStream in, PrintStream out, PrintStream err) {}
