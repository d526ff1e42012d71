#version 330 core
// Darkness with holes: the lanterns that are lit. Steps instead of a gradient, as befits pixels.
const int MOST = 16;
uniform int count;
uniform vec3 lanterns[MOST];  // x, y, radius
in vec2 pixel;
out vec4 color;

void main() {
    float light = 0.0;
    for (int i = 0; i < count; i++) {
        float near = 1.0 - distance(pixel, lanterns[i].xy) / lanterns[i].z;
        light = max(light, near);
    }
    float dark = 1.0 - floor(clamp(light, 0.0, 1.0) * 4.0) / 4.0;
    color = vec4(0.11, 0.11, 0.17, dark * 0.8);
}
