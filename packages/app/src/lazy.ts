import type { openApp as OpenApp } from "./open-app.ts";

// Loaded by the first call, which keeps the import of this package short.

/** Opens a project as a whole. What is wrong with its configuration is in `configuration.problems`. */
export const openApp: typeof OpenApp = async (...args) =>
  (await import("./open-app.ts")).openApp(...args);
