/** A chart of stacked bars by uPlot, with the same figures as a table for those who do not see it. */

import { LitElement, css, html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import uPlot from "uplot";
import { element } from "../assistant/element.js";
import { base } from "../assistant/theme.js";
import { ui } from "./ui.js";

export interface Series {
  name: string;
  values: number[];
}

/** Variables of the theme, in the order in which series take them. */
const COLOURS = ["--aisha-accent", "--aisha-good", "--aisha-warn", "--aisha-danger", "--aisha-muted"];
const HEIGHT = 220;
const FONT = "11px system-ui, sans-serif";
/** In pixels: a line of labels, the axis of values, the least room of a label, and the gap between two. */
const LINE = 16;
const AXIS = 46;
const MIN_ROOM = 28;
const GAP = 5;
/** The distances between the lines of a chart of whole numbers. */
const WHOLE = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

@element("desk-chart")
export class DeskChart extends LitElement {
  static override styles = [
    base,
    ui,
    // What uPlot's own stylesheet says of a chart without legend, cursor and axes that can be dragged.
    css`
      .plot {
        direction: ltr;
        block-size: 220px;
      }

      .uplot,
      .uplot *,
      .uplot *::before,
      .uplot *::after {
        box-sizing: border-box;
      }

      .u-wrap {
        position: relative;
        user-select: none;
      }

      .u-over,
      .u-under {
        position: absolute;
      }

      .uplot canvas {
        display: block;
        position: relative;
        inline-size: 100%;
        block-size: 100%;
      }

      .u-axis {
        position: absolute;
      }

      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: var(--aisha-3);
        margin-block-start: var(--aisha-2);
        color: var(--aisha-muted);
      }

      .legend i {
        display: inline-block;
        inline-size: 10px;
        block-size: 10px;
        border-radius: 3px;
        margin-inline-end: 6px;
      }

      .c0 {
        background: var(--aisha-accent);
      }

      .c1 {
        background: var(--aisha-good);
      }

      .c2 {
        background: var(--aisha-warn);
      }

      .c3 {
        background: var(--aisha-danger);
      }

      .c4 {
        background: var(--aisha-muted);
      }
    `,
  ];

  @property() caption = "";
  @property({ attribute: false }) labels: string[] = [];
  @property({ attribute: false }) series: Series[] = [];
  @property({ attribute: false }) format: (value: number) => string = String;
  /** Changes with the theme, whose colours the canvas has to be drawn with again. */
  @property() theme = "";
  private plot: uPlot | undefined;
  private readonly observer = new ResizeObserver(() => this.fit());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
    this.plot?.destroy();
    this.plot = undefined;
  }

  protected override render(): TemplateResult {
    return html`<div class="plot" aria-hidden="true"></div>
      ${
        this.series.length > 1
          ? html`<div class="legend" aria-hidden="true">
              ${this.series.map((one, place) => html`<span><i class="c${place % COLOURS.length}"></i>${one.name}</span>`)}
            </div>`
          : ""
      }
      <table class="hidden-text">
        <caption>
          ${this.caption}
        </caption>
        <tr>
          <td></td>
          ${this.series.map((one) => html`<th scope="col">${one.name}</th>`)}
        </tr>
        ${this.labels.map(
          (name, place) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${this.series.map((one) => html`<td>${this.format(one.values[place] ?? 0)}</td>`)}
            </tr>`,
        )}
      </table>`;
  }

  protected override updated(): void {
    this.draw();
  }

  private get isWhole(): boolean {
    return this.series.every(({ values }) => values.every(Number.isInteger));
  }

  private get box(): HTMLElement {
    return this.renderRoot.querySelector(".plot")!;
  }

  private fit(): void {
    const width = this.box?.clientWidth ?? 0;
    if (width && this.plot && this.plot.width !== width) this.plot.setSize({ width, height: HEIGHT });
  }

  private draw(): void {
    this.plot?.destroy();
    const style = getComputedStyle(this);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour("--aisha-muted"),
      grid: { stroke: colour("--aisha-line"), width: 1 },
      ticks: { show: false },
      font: FONT,
    };
    // The tallest stack is drawn first, the others over it.
    const stacks = this.series.map((_, top) =>
      this.labels.map((__, place) =>
        this.series.slice(0, top + 1).reduce((sum, one) => sum + (one.values[place] ?? 0), 0),
      ),
    );
    const order = this.series.map((_, place) => place).toReversed();
    const bars = uPlot.paths.bars!({ size: [0.6, 48], radius: 0.15 });
    this.plot = new uPlot(
      {
        width: this.box.clientWidth || 320,
        height: HEIGHT,
        padding: [8, 0, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        select: { show: false, left: 0, top: 0, width: 0, height: 0 },
        scales: {
          x: { time: false, range: [-0.6, this.labels.length - 0.4] },
          y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
        },
        axes: [
          {
            ...axis,
            size: () => 10 + LINE * Math.max(1, ...this.wrapped().map((label) => label.split("\n").length)),
            grid: { show: false },
            splits: () => this.labels.map((_, place) => place),
            values: () => this.wrapped(),
          },
          {
            ...axis,
            ...(this.isWhole ? { incrs: WHOLE } : {}),
            size: (_, values) => this.axisWidth(values),
            values: (_, splits) => splits.map((value) => this.format(value)),
          },
        ],
        series: [
          {},
          ...order.map((place) => ({
            label: this.series[place]!.name,
            fill: colour(COLOURS[place % COLOURS.length]!),
            stroke: colour(COLOURS[place % COLOURS.length]!),
            width: 0,
            points: { show: false },
            paths: bars,
          })),
        ],
      },
      [this.labels.map((_, place) => place), ...order.map((place) => stacks[place]!)] as uPlot.AlignedData,
      this.box,
    );
    this.observer.observe(this.box);
  }

  /** Return the room for the amounts beside the bars; their length depends on the language. */
  private axisWidth(amounts: string[] | null): number {
    const pen = document.createElement("canvas").getContext("2d")!;
    pen.font = FONT;
    return Math.max(AXIS, ...(amounts ?? []).map((text) => Math.ceil(pen.measureText(text).width) + GAP));
  }

  /** Return as many labels as fit side by side, their words under each other where they have to be. */
  private wrapped(): string[] {
    const room = ((this.box.clientWidth || 320) - AXIS) / Math.max(1, this.labels.length);
    const step = Math.ceil(MIN_ROOM / room);
    const pen = document.createElement("canvas").getContext("2d")!;
    pen.font = FONT;
    const fits = (text: string): boolean => pen.measureText(text).width <= room * step - GAP;
    const cut = (text: string): string => {
      let end = text.length;
      while (end > 1 && !fits(end < text.length ? `${text.slice(0, end)}…` : text)) end -= 1;
      return end < text.length ? `${text.slice(0, end)}…` : text;
    };
    return this.labels.map((name, place) => {
      if (place % step) return "";
      if (fits(name)) return name;
      const [first = "", ...others] = name.split(" ");
      return [first, others.join(" ")].filter(Boolean).map(cut).join("\n");
    });
  }
}
