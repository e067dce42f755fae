// A module of its own, so that the command line loads it only for calls.
export { namedTools } from "@skillwright/app/internal";
