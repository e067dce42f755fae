import { expect, it } from "vitest";
import { ScriptPlaces } from "./index.ts";

it("H-02 X-01 no more scripts run at a time than there are places, and a place is given back", async () => {
  const places = new ScriptPlaces(1);
  let end: (error?: Error) => void = () => undefined;
  const first = places.run(
    () =>
      new Promise<string>(
        (resolve, reject) => (end = (error) => (error ? reject(error) : resolve("ran"))),
      ),
    () => "refused",
  );
  const run = () =>
    places.run(
      () => Promise.resolve("ran"),
      () => "refused",
    );
  expect(await run()).toBe("refused");
  end(new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  expect(await run()).toBe("ran");
  expect(await run()).toBe("ran");
});
