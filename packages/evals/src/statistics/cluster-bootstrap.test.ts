import { describe, expect, it } from "vitest";
import { clusterBootstrap, sumsOfMeans } from "./index.ts";

describe("E-02 the cluster bootstrap", () => {
  const mean = ([sum = 0, count = 0]: Float64Array) => sum / count;

  it("comes close to the interval that is known, the same every time", () => {
    const clusters = Array.from({ length: 400 }, (_, i) => [[i % 2, 1]]);
    const interval = clusterBootstrap(clusters, mean, { seed: 3 });
    expect(interval).toEqual(clusterBootstrap(clusters, mean, { seed: 3 }));
    expect(interval?.low).toBeCloseTo(0.5 - 1.96 * 0.025, 2);
    expect(interval?.high).toBeCloseTo(0.5 + 1.96 * 0.025, 2);
    expect(interval).toMatchObject({ n: 400, samples: 2000 });
    const uneven = Array.from({ length: 50 }, (_, i) => [[Math.sqrt(i), 1]]);
    const one = clusterBootstrap(uneven, mean, { seed: 3 });
    expect(one).not.toEqual(clusterBootstrap(uneven, mean, { seed: 4 }));
  });

  it("is not made narrower by copies of trials", () => {
    const single = Array.from({ length: 40 }, (_, i) => [[i % 2, 1]]);
    const copied = single.map(([row]) => Array.from({ length: 10 }, () => row!));
    const narrow = clusterBootstrap(single, mean, { seed: 1 })!;
    const wide = clusterBootstrap(copied, mean, { seed: 1 })!;
    expect(wide.high - wide.low).toBeGreaterThan(0.9 * (narrow.high - narrow.low));
  });

  it("draws trials within a case as well", () => {
    const clusters = [
      [
        [0, 1],
        [1, 1],
      ],
    ];
    expect(sumsOfMeans(clusters)).toEqual(Float64Array.of(0.5, 1));
    expect(clusterBootstrap(clusters, mean, { seed: 1 })).toMatchObject({ low: 0, high: 1, n: 1 });
  });

  it("has no interval of nothing", () => {
    expect(clusterBootstrap([], mean, { seed: 1 })).toBeUndefined();
    expect(clusterBootstrap([[], []], mean, { seed: 1 })).toBeUndefined();
    expect(clusterBootstrap([[[1]]], () => undefined, { seed: 1 })).toBeUndefined();
  });
});
