/** What policy says about a call. */
export type Decision = "allow" | "ask" | "deny";
