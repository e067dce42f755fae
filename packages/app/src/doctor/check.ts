/** What the doctor found out about one thing. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warning" | "error";
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}
