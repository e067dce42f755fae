import type { Model } from "@skillwright/agent";

/** What a model sees in place of the working directory of a trial, which is another one each time. */
const PLACE = "/eval/trial";

/** The same requests for the same trial: only then can an answer be found again. */
export function placedModel(model: Model, directory: string): Model {
  const away = (text: string) => text.replaceAll(directory, PLACE);
  const back = (text: string) => text.replaceAll(PLACE, directory);
  return {
    ...model,
    async decide(request, context) {
      const response = await model.decide(mapStrings(request, away), context);
      return mapStrings(response, back);
    },
  };
}

function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  return mapUnknown(value, change) as Value;
}

function mapUnknown(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapUnknown(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapUnknown(item, change)]),
  );
}
