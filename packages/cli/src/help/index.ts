/** What tests use of this folder; sources import the files themselves. */

export { addHelp } from "./add-help.ts";
