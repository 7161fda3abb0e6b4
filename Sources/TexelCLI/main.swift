print("texel")
