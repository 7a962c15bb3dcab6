import type { Color } from "./canvas.ts";

export interface Theme {
  readonly wallpaper: readonly [top: Color, bottom: Color];
  readonly taskbar: Color;
  readonly taskbarText: Color;
  readonly window: Color;
  readonly titleBar: Color;
  readonly titleText: Color;
  readonly border: Color;
  readonly field: Color;
  readonly text: Color;
  readonly faintText: Color;
  readonly accent: Color;
  readonly accentHovered: Color;
  readonly accentPressed: Color;
  readonly accentText: Color;
  readonly selection: Color;
  readonly hovered: Color;
  readonly button: Color;
  readonly buttonPressed: Color;
  readonly disabled: Color;
  readonly disabledText: Color;
  readonly good: Color;
  readonly goodBack: Color;
  readonly bad: Color;
}

export const themes: Readonly<Record<"light" | "dark", Theme>> = {
  light: {
    wallpaper: [0x3f6e8c, 0x284b63],
    taskbar: 0x1c2b36,
    taskbarText: 0xdfe7ec,
    window: 0xf4f6f8,
    titleBar: 0xdde4ea,
    titleText: 0x1f2a33,
    border: 0xb4bfc9,
    field: 0xffffff,
    text: 0x1f2a33,
    faintText: 0x66747f,
    accent: 0x1f6fb2,
    accentHovered: 0x2b83cc,
    accentPressed: 0x175488,
    accentText: 0xffffff,
    selection: 0xcbe1f4,
    hovered: 0xe8eff5,
    button: 0xe6ebf0,
    buttonPressed: 0xc9d3dc,
    disabled: 0xe9ecef,
    disabledText: 0xa6b0b9,
    good: 0x1d7a46,
    goodBack: 0xdff3e6,
    bad: 0xb3342b,
  },
  dark: {
    wallpaper: [0x232a33, 0x14181d],
    taskbar: 0x0d1013,
    taskbarText: 0xc9d2d9,
    window: 0x252b32,
    titleBar: 0x1a1f25,
    titleText: 0xe6ebef,
    border: 0x4a545e,
    field: 0x1b2026,
    text: 0xe6ebef,
    faintText: 0x96a2ad,
    accent: 0x3a8fd6,
    accentHovered: 0x55a4e6,
    accentPressed: 0x2a6fa9,
    accentText: 0x0f1418,
    selection: 0x2f4d68,
    hovered: 0x303841,
    button: 0x39424b,
    buttonPressed: 0x2c343c,
    disabled: 0x2a3037,
    disabledText: 0x5e6973,
    good: 0x6fd39a,
    goodBack: 0x21382c,
    bad: 0xf08b82,
  },
};
