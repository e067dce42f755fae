/** What tests use of this folder; sources import the files themselves. */

export { visibleOptions } from "./typed-command.ts";
