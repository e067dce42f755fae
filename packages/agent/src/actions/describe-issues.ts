import { nearNames } from "@skillwright/core";
import { truncate } from "@skillwright/core/internal";
import * as z from "zod";
import { actionSchema } from "./action.ts";

type Issue = Pick<z.core.$ZodIssue, "path" | "message">;

const MAX_ISSUES = 3;
const MAX_LENGTH = 300;

/** What is wrong with the input of an action, so that a model can fix it. */
export function describeIssues(name: string, { issues }: z.ZodError): string {
  const schema = actionSchema.options.find(({ shape }) => shape.action.value === name);
  const shown = issues.flatMap((issue) => plainIssues(issue, schema)).slice(0, MAX_ISSUES);
  const lines = shown.map(({ path, message }) => {
    const place = path.map(String).join(".");
    const reason = truncate(message, MAX_LENGTH);
    return place === "" ? reason : `\`${truncate(place, MAX_LENGTH)}\`: ${reason}`;
  });
  return `${name} cannot be done like this: ${lines.join("; ")}.`;
}

/** Of alternatives, what is wrong with the one that was meant: whose keys were given. */
function plainIssues(
  issue: z.core.$ZodIssue,
  schema: z.core.$ZodType | undefined,
): readonly Issue[] {
  const { path, message } = issue;
  if (issue.code === "unrecognized_keys") {
    // The two forms of a plan are explained by what they are for.
    if (path.length === 1 && path[0] === "plan_update") return [{ path, message: PLAN_FORM }];
    const fields = fieldsAt(schema, path);
    return issue.keys.map((key) => ({ path, message: unknownField(key, fields) }));
  }
  if (issue.code !== "invalid_union" || path[0] !== "plan_update") return [{ path, message }];
  const isOther = ({ code, path: at, message: text }: z.core.$ZodIssue) =>
    (code === "unrecognized_keys" && at.length === 0) ||
    (at.length === 1 && text.endsWith("received undefined"));
  const meant = issue.errors.find((issues) => !issues.some(isOther));
  if (meant === undefined) return [{ path, message: PLAN_FORM }];
  return meant.flatMap((inner) =>
    plainIssues({ ...inner, path: [...path, ...inner.path] }, schema),
  );
}

const PLAN_FORM = "give either the new plan under `replace`, or changes under `patch`";

function unknownField(key: string, fields: readonly string[]): string {
  const near = nearFields(key.slice(0, 100), fields);
  const field = `there is no field ${JSON.stringify(truncate(key, 80))}`;
  if (near.length > 0) return `${field} (did you mean ${near.join(" or ")}?)`;
  return fields.length === 0 ? field : `${field}, there are ${fields.join(", ")}`;
}

const SHORTEST_STEM = 3;

/** Near in writing, or one a short form of the other: `arguments` and `args`, `path` and `relative_path`. */
function nearFields(key: string, fields: readonly string[]): readonly string[] {
  const near = nearNames(key, fields, MAX_ISSUES);
  if (near.length > 0 || key.length < SHORTEST_STEM) return near;
  const stem = key.slice(0, SHORTEST_STEM).toLowerCase();
  return fields
    .filter((field) => field.startsWith(stem) || field.split("_").includes(key))
    .slice(0, MAX_ISSUES);
}

/** The fields of the object in this place of an input. */
function fieldsAt(
  schema: z.core.$ZodType | undefined,
  path: readonly PropertyKey[],
): readonly string[] {
  const [key, ...rest] = path;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return fieldsAt(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => fieldsAt(option, path));
  }
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  if (key === undefined) return Object.keys(shape).filter((field) => field !== "action");
  return fieldsAt(Object.hasOwn(shape, key) ? shape[String(key)] : undefined, rest);
}
