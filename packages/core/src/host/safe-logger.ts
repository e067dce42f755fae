import type { Logger } from "../logger.ts";

/** The same logger, of which nothing fails: what cannot be logged must not end the work. */
export function safeLogger(logger: Logger): Logger {
  const at =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, context) => {
      try {
        logger[level](message, context);
      } catch {
        // There is nobody left to tell.
      }
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
