#version 330 core
uniform sampler2D picture;
in vec2 uv;
out vec4 color;

void main() {
    color = texture(picture, uv);
    if (color.a < 0.5) discard;
}
