const IN_TOTO = "application/vnd.in-toto+json";

/** Whether an in-toto statement has an artifact with this SHA-256 among its subjects. */
export function statementNames(payloadType: string, payload: Buffer, sha256: string): boolean {
  if (payloadType !== IN_TOTO) return false;
  const statement = parse(payload.toString("utf8"));
  const subjects = fieldOf(statement, "subject");
  return (
    Array.isArray(subjects) &&
    subjects.some((subject) => fieldOf(fieldOf(subject, "digest"), "sha256") === sha256)
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
