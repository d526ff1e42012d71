#version 330 core
// One quad a sprite, in pixels of the game's own screen of 256 by 144.
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 place;   // x, y, width, height
layout(location = 2) in vec4 source;  // the same in the texture, 0 to 1

out vec2 uv;

void main() {
    vec2 pixel = place.xy + corner * place.zw;
    gl_Position = vec4(pixel / vec2(128.0, -72.0) + vec2(-1.0, 1.0), 0.0, 1.0);
    uv = source.xy + corner * source.zw;
}
