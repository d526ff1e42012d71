#version 330 core
// The finished picture, with the soft lines of an old television.
uniform sampler2D frame;
uniform float lines;  // 0 for none, 1 for strong ones
in vec2 uv;
out vec4 color;

void main() {
    vec3 seen = texture(frame, uv).rgb;
    float line = 0.5 + 0.5 * cos(uv.y * 144.0 * 6.2831853);
    color = vec4(seen * (1.0 - 0.25 * lines * line), 1.0);
}
