/** Where a host wants to hear of what happens. Must not throw. */
export interface Logger {
  debug(message: string, context?: Readonly<Record<string, unknown>>): void;
  info(message: string, context?: Readonly<Record<string, unknown>>): void;
  warn(message: string, context?: Readonly<Record<string, unknown>>): void;
  error(message: string, context?: Readonly<Record<string, unknown>>): void;
}

/** The same logger, but one that never throws: a failing log must not end the work. */
export function safeLogger(logger: Logger): Logger {
  const at =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, context) => {
      try {
        logger[level](message, context);
      } catch {
        // There is nowhere left to report it.
      }
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
